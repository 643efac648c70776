import { SessionWindows } from '../SessionWindows.js'
import { SlidingWindows } from '../SlidingWindows.js'
import type { Windows } from '../Windows.js'
import { sessionKind } from './sessionKind.js'
import { slidingKind } from './slidingKind.js'
import { timeKind } from './timeKind.js'
import type { WindowKind } from './WindowKind.js'

/** What aggregations by these windows do. */
export function windowKindOf(windows: Windows | SlidingWindows | SessionWindows): WindowKind {
  if (windows instanceof SessionWindows) return sessionKind(windows)
  return windows instanceof SlidingWindows ? slidingKind(windows) : timeKind(windows)
}
