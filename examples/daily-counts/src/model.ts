/** One order: the value of a record on the topic `orders`. Its key is the product. */
export interface Order {
  readonly order: string
  readonly amount: number
}
