import { describe, expect, it } from 'vitest'
import { abortWords } from './abortWords.js'
import type { EpochEvent } from './epochPhases.js'

const aborted = (change: Partial<EpochEvent> = {}): EpochEvent => ({
  ...{ n: 1, at: 0, type: 'epoch', epoch: 7, outcome: 'aborted', message: 'why' },
  ...{ records: 40, outputs: 9, timersFired: 1, runMs: 80, cutMs: 0, commitMs: 0 },
  ...change,
})

describe('[E4] the words of an aborted epoch', () => {
  it('say what it had done, which is taken back, and why', () => {
    expect(abortWords(aborted())).toMatchObject({
      held: 'It had done 40 records, 9 outputs and 1 timer in 80 ms; all of that is taken back, none of it is seen by anyone.',
      why: 'why.',
    })
    expect(abortWords(aborted({ outputs: 0, timersFired: 0 }))?.held).toContain('done 40 records in')
    expect(abortWords(aborted({ records: 0, outputs: 0, timersFired: 0 }))?.held).toBe('It had done nothing yet.')
  })

  it('say that the run ends, where nothing follows', () => {
    expect(abortWords(aborted())?.next).toEqual([
      'The run ends. The next one goes on from the last commit, and reads these records again.',
    ])
  })

  it('say which restart follows, and that it ends before a record that has failed twice', () => {
    const restart = { attempt: 2, of: 5, delayMs: 400 }
    expect(abortWords(aborted({ restart }))?.next).toEqual([
      'Restart 2 of 5 in place after 400 ms, from the last commit: the same records are read again.',
    ])
    const cutsBefore = { topic: 'orders', partition: 1, offset: 77 }
    expect(abortWords(aborted({ restart: { ...restart, cutsBefore } }))?.next[1]).toContain(
      'orders-1 @ 77 has failed twice',
    )
  })

  it('[E9] leave a commit that was not answered to the log', () => {
    expect(abortWords(aborted({ inDoubt: 6 }))?.next[0]).toContain('The commit of epoch 6 before it was not answered')
    expect(abortWords(aborted({ inDoubt: 7 }))?.next[0]).toContain('The commit of epoch 7 was not answered')
  })

  it('are none of a committed one', () => {
    expect(abortWords(aborted({ outcome: 'committed' }))).toBeNull()
  })
})
