/**
 * The same object with some members replaced; all others, also those that it will have one day, are its own.
 * Methods run on the object itself, so that its private fields are there.
 */
export function withOverrides<T extends object>(target: T, overrides: Partial<T>): T {
  return new Proxy(target, {
    get: (object, name) => {
      if (Object.hasOwn(overrides, name)) return overrides[name as keyof T]
      const member: unknown = Reflect.get(object, name, object)
      return typeof member === 'function' ? member.bind(object) : member
    },
  })
}
