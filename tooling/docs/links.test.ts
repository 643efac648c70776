import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { markdownFiles, ROOT } from './markdown.js'

/** GitHub's name of a heading, as links to it write it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-')
}

function isThere(file: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const full = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path)
  if (!existsSync(full)) return false
  if (anchor === undefined) return true
  const headings = [...readFileSync(full, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text))
  return headings.includes(anchor)
}

it('finds what each link between pages points at', () => {
  const broken = markdownFiles().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)].map(
      ([, inline, named]) => inline ?? named ?? '',
    )
    return targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !isThere(file, target))
      .map((target) => `${file}: ${target}`)
  })
  expect(broken).toEqual([])
})
