import { AgentProcess } from '../support/AgentProcess.js'
import { Designer } from '../support/Designer.js'
import { type KafkaBroker, produceAsAnyone, startKafkaBroker, whyNoBroker } from '../support/kafka.js'
import { keysThat } from '../support/lanes.js'
import { expect, test } from '../support/test.js'
import { createTopic, readTopic } from '../support/topics.js'

const reason = whyNoBroker()

/** Step 8: the same example on a real Kafka broker. */
test.describe('On a real Kafka broker', () => {
  test.skip(reason !== undefined, reason)
  test.setTimeout(300_000)
  let broker: KafkaBroker
  let agent: AgentProcess
  let designer: Designer

  test.beforeEach(async ({ page }) => {
    broker = await startKafkaBroker()
    agent = await AgentProcess.start({ args: ['--bootstrap-servers', broker.bootstrap] })
    designer = new Designer(page)
    await designer.open(agent.url)
    await designer.openFirstExample()
  })
  test.afterEach(async () => {
    await agent?.stop()
    await broker?.stop()
  })

  test('a topic that does not exist is named, and made on request; then the run reads what anyone wrote', async ({
    page,
  }) => {
    await createTopic(broker.bootstrap, 'events', 4)
    const event = JSON.stringify({ action: 'view', page: '/from/elsewhere' })
    // Of a key whose encodings agree, so that the run goes on.
    const [key = ''] = keysThat('agree', 'anyone-', 8, 1)
    await produceAsAnyone(broker.bootstrap, 'events', [[JSON.stringify(key), event]])
    await designer.run()
    await page.getByRole('button', { name: /^Create .* and run$/ }).click()
    await expect(designer.lane(0)).toBeVisible({ timeout: 120_000 })
    const records = await designer.tab('Records')
    await records.getByRole('textbox', { name: 'Follow a key' }).fill(key)
    const table = records.getByRole('table', { name: 'Sampled records' })
    await expect(table).toContainText('/from/elsewhere', { timeout: 120_000 })
  })

  test('the split is proven and mended as on the embedded log, and sessions stand in the topic', async () => {
    await createTopic(broker.bootstrap, 'sessions', 4)
    await designer.run()
    await expect(designer.fatal).toContainText('Proven split of k0', { timeout: 120_000 })
    await designer.mode('Design')
    await designer.mark('sessionize').click()
    await designer.finding.getByRole('button', { name: /^Declare Consumed\.with\(json/ }).click()
    await expect(designer.mark('sessionize')).toBeHidden()
    await designer.run()
    const kafka = { 'bootstrap.servers': broker.bootstrap }
    const keys = async () => (await readTopic(kafka, 'sessions')).map(({ key }) => key)
    await expect.poll(keys, { timeout: 120_000 }).toContain('k0')
    await designer.stop()
  })
})
