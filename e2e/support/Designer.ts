import { expect, type Locator, type Page } from '@playwright/test'

/** The page in a user's words. What it holds is found by role and accessible name alone. */
export class Designer {
  constructor(readonly page: Page) {}

  /** Opens the page by the address that the agent printed. */
  async open(url: string): Promise<void> {
    await this.page.goto(url)
    await expect(this.page.getByRole('region', { name: 'Start a topology' }).or(this.canvas)).toBeVisible()
  }

  get canvas(): Locator {
    return this.page.getByLabel('Topology', { exact: true })
  }

  async openFirstExample(): Promise<void> {
    await this.page.getByRole('button', { name: /^Open the example / }).click()
    await expect(this.canvas).toBeVisible()
  }

  async openExample(title: string): Promise<void> {
    const more = this.page.getByRole('button', { name: 'More examples' })
    await more.click()
    await this.page.getByRole('button', { name: title, exact: true }).click()
    await expect(this.canvas).toBeVisible()
  }

  async openProject(id: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Open a project', exact: true }).click()
    await this.page.getByRole('button', { name: `Open ${id}`, exact: true }).click()
    await expect(this.canvas).toBeVisible()
  }

  node(name: string): Locator {
    return this.canvas.getByRole('group', { name: new RegExp(`^${escape(name)}(,|$)`) })
  }

  /** The mark on a node that says that something is wrong there. */
  mark(node: string): Locator {
    return this.page.getByRole('button', { name: `Show what is wrong with ${node}`, exact: true })
  }

  get finding(): Locator {
    return this.page.getByRole('region', { name: 'Finding', exact: true })
  }

  get saved(): Locator {
    return this.page.getByRole('status').filter({ hasText: /^(Saved|Running|Stopped|Stopped by an error)$/ })
  }

  /** What stopped the run; it may be told in more than one place. */
  get fatal(): Locator {
    return this.page.getByRole('alert', { name: 'The run stopped' }).first()
  }

  async select(node: string): Promise<Locator> {
    await this.node(node).click()
    const panel = this.page.getByRole('region', { name: `Node ${node}`, exact: true })
    await expect(panel).toBeVisible()
    return panel
  }

  /** Starts a run, and waits until the page shows it or says why there is none. */
  async run(choice?: RegExp): Promise<void> {
    if (choice === undefined) await this.page.getByRole('button', { name: 'Run', exact: true }).click()
    else {
      await this.page.getByRole('button', { name: 'Run options' }).click()
      await this.page.getByRole('menuitem', { name: choice }).click()
    }
    const live = this.page.getByRole('radio', { name: 'Live', checked: true })
    await expect(live.or(this.page.getByRole('alert')).first()).toBeVisible({ timeout: 120_000 })
  }

  async stop(): Promise<void> {
    await this.page.getByRole('button', { name: 'Stop the run' }).click()
    await expect(this.page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled({ timeout: 120_000 })
  }

  async mode(mode: 'Design' | 'Live'): Promise<void> {
    await this.page.getByRole('radio', { name: mode, exact: true }).click()
  }

  async tab(name: string): Promise<Locator> {
    await this.page.getByRole('tab', { name, exact: true }).click()
    const panel = this.page.getByRole('tabpanel', { name, exact: true })
    await expect(panel).toBeVisible()
    return panel
  }

  lane(lane: number): Locator {
    return this.page.getByRole('group', { name: `Lane ${lane}`, exact: true })
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
