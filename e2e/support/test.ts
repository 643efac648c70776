import { test as base } from '@playwright/test'
import { AgentProcess } from './AgentProcess.js'
import { Designer } from './Designer.js'

export { expect } from '@playwright/test'

interface Fixtures {
  /** An agent of this test's own, with an empty projects folder. */
  readonly agent: AgentProcess
  /** The agent's page, open at the first screen. */
  readonly designer: Designer
}

/** Every story has an agent and a page to itself; a message that the page logs as an error fails it. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern
  agent: async ({}, use) => {
    const agent = await AgentProcess.start()
    await use(agent)
    await agent.stop()
  },
  designer: async ({ agent, page }, use) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.stack ?? error.message))
    const designer = new Designer(page)
    await designer.open(agent.url)
    await use(designer)
    if (errors.length > 0) throw new Error(`The page threw:\n${errors.join('\n')}`)
  },
})
