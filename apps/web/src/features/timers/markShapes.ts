import type { TimerState } from './timerMarks.js'

/** In the order of the legend. */
export const TIMER_STATES: readonly TimerState[] = ['pending', 'due', 'fired', 'replaced', 'deleted']

/** What matters more is drawn over what matters less. */
export const DRAWING_ORDER: readonly TimerState[] = ['replaced', 'deleted', 'pending', 'due', 'fired']

const ring = (r: number) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`

const SHAPES: { readonly [state in TimerState]: string } = {
  pending: ring(3.4),
  due: `${ring(3.8)}m2.4 0a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0`,
  fired: 'm0 -4.2l4.2 4.2-4.2 4.2-4.2-4.2z',
  replaced: `${ring(3.2)}m-.6 3.8l7.6-7.6`,
  deleted: 'm-3.2 -3.2l6.4 6.4m0 -6.4l-6.4 6.4',
}

/** The shape of a state around a point, as part of one path for all marks of that state. */
export function shapeAt(state: TimerState, x: number, y: number): string {
  return `M${round(x)} ${round(y)}${SHAPES[state]}`
}

const round = (value: number) => Math.round(value * 10) / 10
