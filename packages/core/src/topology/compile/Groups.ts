/** Joins items that belong together, and numbers the groups by the first item of each. */
export class Groups {
  private readonly parent = new Map<string, string>()

  constructor(items: Iterable<string>) {
    for (const item of items) this.parent.set(item, item)
  }

  join(a: string, b: string): void {
    this.parent.set(this.rootOf(b), this.rootOf(a))
  }

  /** The groups by first item, each in the order of the items. */
  list(): string[][] {
    const groups = new Map<string, string[]>()
    for (const item of this.parent.keys()) {
      const root = this.rootOf(item)
      const group = groups.get(root)
      if (group === undefined) groups.set(root, [item])
      else group.push(item)
    }
    return [...groups.values()]
  }

  private rootOf(item: string): string {
    let root = item
    for (let next = this.parent.get(root); next !== undefined && next !== root; next = this.parent.get(root))
      root = next
    return root
  }
}
