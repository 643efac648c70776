import { formatCount, formatOf } from './formatNumber.js'
import { formatNear } from './formatTime.js'
import { dangerOf, entriesTaken, type Preview, timersTaken, windowsTaken } from './whatIf.js'

/** In short what a record would do that was not sent yet; empty when it harms nothing. */
export function previewWords(preview: Preview): readonly string[] {
  const { segments, refuses } = preview.blast
  if (dangerOf(preview) === 'harmless') return preview.wouldBe === 'passed' ? [] : [guardWords(preview)]
  const takes = [
    ...(segments.length > 0
      ? [`expires ${formatOf(segments.length, 'segment')} with ${formatOf(entriesTaken(preview), 'entry', 'entries')}`]
      : []),
    ...(windowsTaken(preview) > 0 ? [`closes ${formatOf(windowsTaken(preview), 'window')}`] : []),
    ...(timersTaken(preview) > 0 ? [`fires ${formatOf(timersTaken(preview), 'timer')}`] : []),
  ]
  const after = refuses.length === 0 ? [] : [refusedWords(preview)]
  const first = takes.length === 0 ? [] : [`${upper(takes.join(', '))}.`]
  return [...(preview.wouldBe === 'passed' ? [] : [guardWords(preview)]), ...first, ...after]
}

function guardWords({ wouldBe }: Preview): string {
  if (wouldBe === 'rejected') return 'The future guard would reject it; let in, this is what it would do.'
  return wouldBe === 'fatal' ? 'The future guard would stop the run.' : 'The future guard would warn of it.'
}

function refusedWords({ blast: { refuses }, referenceClock }: Preview): string {
  const until = Math.max(...refuses.map(({ to }) => to))
  const places = [...new Set(refuses.map(({ where }) => where))]
  const rest = places.length > 2 ? ` and ${formatCount(places.length - 2)} more` : ''
  return `After it ${places.slice(0, 2).join(', ')}${rest} would drop records of before ${formatNear(until, referenceClock)}.`
}

function upper(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
