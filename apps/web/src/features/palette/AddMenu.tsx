import { Command as List } from 'cmdk'
import { Popover } from 'radix-ui'
import { type AddGoal, insertNode, kindsFor } from '../../model/commands/insert.js'
import { type KindFacts, longLabel } from '../../model/nodeKinds.js'
import { useStores } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import '../../ui/menu.css'
import './add-menu.css'

/** A list of kinds, asked for at a place on the screen. */
export interface Offer {
  readonly at: { readonly x: number; readonly y: number }
  readonly goal: AddGoal
}

const TITLES: { readonly [goal in AddGoal['to']]: string } = {
  free: 'Add a node',
  after: 'Add after it',
  before: 'Add before it',
  edge: 'Add into the edge',
}

/** The kinds that fit, filtered by typing; Enter adds the first. */
export function AddMenu(props: { readonly offer: Offer | null; readonly onClose: () => void }) {
  const { offer, onClose } = props
  const { project, view } = useStores()
  const add = (facts: KindFacts, goal: AddGoal) => {
    const added = insertNode(project.getState().workspace, facts.kind, goal)
    project.getState().edit(`Add ${longLabel(facts).toLowerCase()}`, () => added.workspace)
    view.getState().selectNodes([added.id])
    onClose()
  }
  return (
    <Popover.Root open={offer !== null} onOpenChange={(open) => !open && onClose()}>
      {offer && <Popover.Anchor style={{ position: 'fixed', left: offer.at.x, top: offer.at.y }} />}
      <Popover.Portal>
        {offer && (
          <Popover.Content
            className="menu add-menu"
            align="start"
            side="bottom"
            collisionPadding={12}
            aria-label={TITLES[offer.goal.to]}
          >
            <List label={TITLES[offer.goal.to]} loop>
              <List.Input className="input" placeholder={TITLES[offer.goal.to]} />
              <List.List>
                <List.Empty className="menu-heading">
                  Not drawn here. The rest of the DSL is written as code.
                </List.Empty>
                {kindsFor(offer.goal, project.getState().workspace.document).map((facts) => (
                  <List.Item
                    key={facts.kind}
                    className="menu-item"
                    value={longLabel(facts)}
                    keywords={[facts.hint]}
                    onSelect={() => add(facts, offer.goal)}
                  >
                    <Glyph name={facts.glyph} />
                    <span>
                      {longLabel(facts)}
                      <em>{facts.hint}</em>
                    </span>
                  </List.Item>
                ))}
              </List.List>
            </List>
          </Popover.Content>
        )}
      </Popover.Portal>
    </Popover.Root>
  )
}
