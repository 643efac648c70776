import type { TopologyDocument } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { aDocument, aProcessor, aSink, aSource, aWorkspace } from '../fixtures.js'
import { starterCode } from '../starterCode.js'
import type { Workspace } from '../Workspace.js'
import { editWithStarters } from './connectNodes.js'
import { setProperties } from './nodes.js'

const starter = (valueType: string) => starterCode({ name: 'P', keyType: 'string', valueType, withTimers: false })
const document = aDocument([aSource('in'), aProcessor('a'), aProcessor('b'), aSink('out')], ['in>a', 'a>out'])
const start = (a: string) => aWorkspace(document, { 'a.ts': a, 'b.ts': starter('Event') })
const toNumber = (at: TopologyDocument) => setProperties(at, 'in', 'source', { valueType: 'number' })
const changed = (workspace: Workspace) => editWithStarters(workspace, 'in', toNumber).files

describe('editWithStarters', () => {
  it('writes the type of a source into the first text of the code behind it', () => {
    expect(changed(start(starter('Event')))).toEqual({ 'a.ts': starter('number'), 'b.ts': starter('Event') })
  })

  it('leaves what somebody has edited', () => {
    const mine = `${starter('Event')}// mine\n`
    expect(changed(start(mine))['a.ts']).toBe(mine)
  })
})
