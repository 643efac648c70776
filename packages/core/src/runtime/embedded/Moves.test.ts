import { describe, expect, it } from 'vitest'
import { Moves } from './Moves.js'

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('reading while records are moved', () => {
  it('gives what was read, once, where nothing was moved', async () => {
    let reads = 0
    expect(await new Moves().reading(async () => ++reads)).toBe(1)
    expect(reads).toBe(1)
  })

  it('reads again what was read while a move began', async () => {
    const moves = new Moves()
    const [first, move] = [gate(), gate()]
    let reads = 0
    const reading = moves.reading(async () => {
      if (++reads === 1) await first.opened
      return reads
    })
    const moving = moves.moving(() => move.opened)
    first.open()
    await Promise.resolve()
    expect(reads).toBe(1)
    move.open()
    await moving
    expect(await reading).toBe(2)
  })

  it('waits for the move that is under way, also for one that fails', async () => {
    const moves = new Moves()
    const move = gate()
    const moving = moves.moving(async () => {
      await move.opened
      throw new Error('no room')
    })
    let reads = 0
    const reading = moves.reading(async () => ++reads)
    await Promise.resolve()
    expect(reads).toBe(0)
    move.open()
    await expect(moving).rejects.toThrow('no room')
    expect(await reading).toBe(1)
  })

  it('takes an error for one of the move where there was one, and else throws it', async () => {
    const moves = new Moves()
    const first = gate()
    let reads = 0
    const reading = moves.reading(async () => {
      if (++reads > 1) return 'read'
      await first.opened
      throw new Error('the file is closed')
    })
    await moves.moving(async () => undefined)
    first.open()
    expect(await reading).toBe('read')
    await expect(moves.reading(() => Promise.reject(new Error('damaged')))).rejects.toThrow('damaged')
  })
})
