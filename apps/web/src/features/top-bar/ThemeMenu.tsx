import { DropdownMenu } from 'radix-ui'
import { useView } from '../../store/context.js'
import type { Theme } from '../../store/viewStore.js'
import { Glyph } from '../../ui/Glyph.js'
import '../../ui/menu.css'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['dark', 'Dark'],
  ['light', 'Light'],
  ['system', 'As the system'],
]

export function ThemeMenu() {
  const theme = useView((state) => state.theme)
  const set = useView((state) => state.set)
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger className="icon-button" aria-label="Theme" title="Theme">
        <Glyph name="theme" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu" align="end" sideOffset={6}>
          <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => set({ theme: value as Theme })}>
            {THEMES.map(([id, label]) => (
              <DropdownMenu.RadioItem key={id} value={id} className="menu-item">
                <span className="menu-check">{theme === id && <Glyph name="check" size={14} />}</span>
                {label}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
