import { editConfig } from '../../model/commands/files.js'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Field, TextField } from '../../ui/Field.js'
import { PanelHead } from '../../ui/PanelHead.js'
import { Select } from '../../ui/Select.js'
import { countProblem, durationProblem } from './durationChecks.js'
import { SETTINGS, type Setting } from './settings.js'
import './inspector.css'

/** `app.config.json` as a form. */
export function ConfigPanel() {
  const set = useView((state) => state.set)
  const openCode = useView((state) => state.openCode)
  return (
    <section className="panel" aria-label="Engine settings">
      <PanelHead title="Engine settings" note="app.config.json" glyph="gear" onClose={() => set({ panel: null })} />
      <div className="panel-body inspector">
        {SETTINGS.map(({ heading, settings }) => (
          <section key={heading} aria-label={heading}>
            <h3 className="panel-heading">{heading}</h3>
            {settings.map((setting) => (
              <SettingField key={setting.key} setting={setting} />
            ))}
          </section>
        ))}
        <button type="button" className="button lined small" onClick={() => openCode({ path: 'app.config.json' })}>
          Open app.config.json
        </button>
      </div>
    </section>
  )
}

function SettingField(props: { readonly setting: Setting }) {
  const { setting } = props
  const { project } = useStores()
  const value = useProject((state) => state.workspace.config[setting.key])
  const change = (next: unknown) =>
    project.getState().edit(`Change ${setting.key}`, (at) => editConfig(at, setting.key, next), `config ${setting.key}`)
  if (setting.choices)
    return <ChoiceField setting={setting} choices={setting.choices} value={value} onChange={change} />
  const isMs = setting.counts === 'ms'
  const text = value === undefined ? '' : isMs && typeof value === 'number' ? formatDuration(value) : String(value)
  return (
    <TextField
      label={setting.label}
      value={text}
      placeholder={setting.unset}
      hint={setting.key}
      check={isMs ? durationProblem : countProblem}
      onChange={(next) => change(next.trim() === '' ? undefined : isMs ? parseDuration(next) : Number(next))}
    />
  )
}

function ChoiceField(props: {
  readonly setting: Setting
  readonly choices: readonly string[]
  readonly value: unknown
  readonly onChange: (value: string | undefined) => void
}) {
  const { setting, value, onChange } = props
  const text = value === undefined ? '' : String(value)
  const choices = text === '' || props.choices.includes(text) ? props.choices : [...props.choices, text]
  const inWords = (choice: string) => {
    const words = setting.words?.[choice]
    return words === undefined ? choice : `${choice}: ${words}`
  }
  const options = choices.map((choice) => ({ value: choice, label: inWords(choice) }))
  return (
    <Field label={setting.label} hint={setting.key}>
      {(id) => (
        <Select
          full
          id={id}
          label={setting.label}
          value={text}
          options={[{ value: '', label: `not set: ${setting.unset}` }, ...options]}
          onChange={(next) => onChange(next === '' ? undefined : next)}
        />
      )}
    </Field>
  )
}
