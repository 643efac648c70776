import { describe, expect, it } from 'vitest'
import { InsertionTree } from './InsertionTree.js'

function treeOf(numbers: readonly number[]): InsertionTree<number> {
  const tree = new InsertionTree<number>((a, b) => a - b)
  for (const number of numbers) tree.insert(number)
  return tree
}

describe('InsertionTree', () => {
  it('gives the items in order, each once, however they were put', () => {
    const numbers = Array.from({ length: 200 }, (_, i) => (i * 73) % 200)
    const sorted = [...numbers].sort((a, b) => a - b)
    expect(treeOf(numbers).toArray()).toEqual(sorted)
    expect(treeOf(sorted).toArray()).toEqual(sorted)
    expect(treeOf([...sorted].reverse()).toArray()).toEqual(sorted)
    expect(treeOf([2, 1, 2, 3, 1]).toArray()).toEqual([1, 2, 3])
  })

  it('is empty at first', () => expect(treeOf([]).toArray()).toEqual([]))

  it('stays balanced: few comparisons per insertion', () => {
    let comparisons = 0
    const tree = new InsertionTree<number>((a, b) => {
      comparisons++
      return a - b
    })
    for (let i = 0; i < 1024; i++) tree.insert(i)
    expect(comparisons).toBeLessThan(1024 * 2 * 10)
  })

  it('compares only with what lies on the way down, as the shape is at that moment', () => {
    const met: string[] = []
    const weights = new Map([
      ['a', 3],
      ['b', 2],
      ['c', 1],
      ['d', 0],
    ])
    const tree = new InsertionTree<string>((x, y) => {
      met.push(y)
      return (weights.get(x) as number) - (weights.get(y) as number)
    })
    for (const item of ['a', 'b', 'c']) tree.insert(item)
    met.length = 0
    weights.set('c', 9)
    tree.insert('d')
    expect(met).toEqual(['b', 'c'])
    expect(tree.toArray()).toEqual(['d', 'c', 'b', 'a'])
  })

  it('has the shape of a red-black tree: the way down to the ninth of nine ascending items', () => {
    const met: number[] = []
    const tree = new InsertionTree<number>((a, b) => {
      met.push(b)
      return a - b
    })
    for (let i = 1; i <= 8; i++) tree.insert(i)
    met.length = 0
    tree.insert(9)
    expect(met).toEqual([4, 6, 7, 8])
    met.length = 0
    tree.insert(10)
    expect(met).toEqual([4, 6, 8, 9])
  })

  it('has the mirrored shape for descending items, and the same for items put inside', () => {
    const pathTo = (numbers: readonly number[], last: number) => {
      const met: number[] = []
      const tree = new InsertionTree<number>((a, b) => {
        met.push(b)
        return a - b
      })
      for (const number of numbers) tree.insert(number)
      met.length = 0
      tree.insert(last)
      return met
    }
    expect(pathTo([8, 7, 6, 5, 4, 3, 2, 1], 0)).toEqual([5, 3, 2, 1])
    expect(pathTo([1, 3, 2], 0)).toEqual([2, 1])
    expect(pathTo([3, 1, 2], 4)).toEqual([2, 3])
  })
})
