/** The part of a keyboard event that decides. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
}

const NAMED: { readonly [key: string]: string } = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Delete: 'Del',
  Escape: 'Esc',
}

/** Whether a press is the chord: every modifier as said, no other. */
export function matches(chord: string, press: KeyPress): boolean {
  const parts = chord.split('+')
  const key = parts.at(-1) ?? ''
  const mod = parts.includes('Mod')
  if (mod !== (press.ctrlKey || press.metaKey)) return false
  if (parts.includes('Alt') !== press.altKey) return false
  const shift = parts.includes('Shift')
  // A sign such as "?" needs Shift on some keyboards and not on others.
  const isSign = /^[^A-Za-z0-9]$/.test(key)
  if (!isSign && shift !== press.shiftKey) return false
  if (key.length > 1) return press.key === key
  // With Alt, the host reports another character; the key itself is what is meant.
  if (press.altKey) return press.code === `Key${key.toUpperCase()}`
  return press.key.toLowerCase() === key.toLowerCase()
}

/** A chord as keys are printed: `Ctrl Shift Z`. */
export function keyText(chord: string, isMac: boolean): string {
  return chord
    .split('+')
    .map((part) => (part === 'Mod' ? (isMac ? 'Cmd' : 'Ctrl') : (NAMED[part] ?? part)))
    .join(' ')
}

/** Whether keys belong to what has the focus: a field or an editor takes them all. */
export function takesText(element: Element | null): boolean {
  if (!element) return false
  if (element.closest('input, textarea, select, [contenteditable]:not([contenteditable="false"]), .cm-editor'))
    return true
  return element.closest('[role="menu"], [role="dialog"], [role="listbox"]') !== null
}

/** Whether Enter, Space and the arrows belong to what has the focus. */
export function takesSteps(element: Element | null): boolean {
  return (
    element?.closest('button, a, [role="tab"], [role="treeitem"], [role="option"], [role="row"], [role="slider"]') !=
    null
  )
}

const STEPS = ['Enter', ' ', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']

/** Whether a press at this element is for the page's commands at all. */
export function isForCommands(press: KeyPress, target: Element | null): boolean {
  if (takesText(target)) return false
  const plain = !press.ctrlKey && !press.metaKey && !press.altKey
  return !(plain && STEPS.includes(press.key) && takesSteps(target))
}
