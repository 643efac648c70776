/** A look at a page: the value of a record on `views`. Its key is the page. */
export interface View {
  readonly number: string
}

/** The value of a record on `orders`. Its key is the user. */
export interface Order {
  readonly number: string
  readonly amount: number
}

/** The newest on `users` of each key is how that user is now. */
export interface User {
  readonly name: string
  readonly city: string
}

export interface OrderOfUser extends Order {
  readonly user: User | null
}
