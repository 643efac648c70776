import { editConfig } from '../../model/commands/files.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Field, TextField } from '../../ui/Field.js'
import { PanelHead } from '../../ui/PanelHead.js'
import { Select } from '../../ui/Select.js'
import { countProblem } from './SourceForm.js'
import './inspector.css'

interface Setting {
  readonly key: string
  readonly label: string
  readonly choices?: readonly string[]
  readonly kind?: 'number' | 'text'
  readonly unset: string
}

/** The settings that a topology's design asks for; every other key is edited in the file. */
const SETTINGS: readonly { readonly heading: string; readonly settings: readonly Setting[] }[] = [
  {
    heading: 'Lanes',
    settings: [
      { key: 'lanes.count', label: 'Lanes', kind: 'number', unset: '16' },
      {
        key: 'default.key.serde',
        label: 'Default key',
        choices: ['string', 'long', 'integer', 'uuid', 'byteArray', 'json'],
        unset: 'none',
      },
      {
        key: 'default.value.serde',
        label: 'Default value',
        choices: ['json', 'string', 'long', 'byteArray'],
        unset: 'none',
      },
    ],
  },
  {
    heading: 'Guards',
    settings: [
      { key: 'timer.lane-affinity.guard', label: 'Timer lanes', choices: ['error', 'warn', 'off'], unset: 'error' },
      {
        key: 'timer.lane-affinity.sampled-check',
        label: 'Sampled check',
        choices: ['error', 'warn', 'off'],
        unset: 'warn',
      },
      {
        key: 'future-timestamp.guard',
        label: 'From the future',
        choices: ['reject', 'warn', 'error', 'off'],
        unset: 'engine default',
      },
    ],
  },
  {
    heading: 'Time',
    settings: [{ key: 'time.mode', label: 'Clock', choices: ['watermark', 'stream-time'], unset: 'engine default' }],
  },
  {
    heading: 'Delivery',
    settings: [
      {
        key: 'processing.guarantee',
        label: 'Guarantee',
        choices: ['at-least-once', 'exactly-once'],
        unset: 'engine default',
      },
    ],
  },
]

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
  const text = value === undefined ? '' : String(value)
  if (!setting.choices) {
    return (
      <TextField
        label={setting.label}
        value={text}
        placeholder={setting.unset}
        hint={setting.key}
        check={countProblem}
        onChange={(next) => change(next.trim() === '' ? undefined : Number(next))}
      />
    )
  }
  const known = text === '' || setting.choices.includes(text) ? setting.choices : [...setting.choices, text]
  return (
    <Field label={setting.label} hint={setting.key}>
      {(id) => (
        <Select
          full
          id={id}
          label={setting.label}
          value={text}
          options={[{ value: '', label: setting.unset }, ...known.map((choice) => ({ value: choice, label: choice }))]}
          onChange={(next) => change(next === '' ? undefined : next)}
        />
      )}
    </Field>
  )
}
