import type { Order, OrderOfUser, User } from './model.js'

const PRODUCTS = ['tea', 'coffee', 'cocoa', 'mugs', 'filters'] as const

// The traffic numbers its orders; what is in them follows from the number.
const numberOf = (order: Order) => Number(order.number)

/** Every second order is express. */
export function isExpress(_user: string, order: Order): boolean {
  return numberOf(order) % 2 === 0
}

export function productOf(_user: string, order: Order): string {
  return PRODUCTS[numberOf(order) % PRODUCTS.length] ?? 'tea'
}

export function withUser(order: Order, user: User | null): OrderOfUser {
  return { ...order, user }
}
