import { SystemClock } from '@lanescope/core'
import { createCanvasPort } from '../canvas/CanvasPort.js'
import { type AgentClientOptions, createAgentClient, type Socket } from '../client/AgentClient.js'
import { createDrafts } from '../client/drafts.js'
import { createProjectSession } from '../client/ProjectSession.js'
import { createProjectFolders } from '../client/projectFolders.js'
import { takeToken } from '../client/token.js'
import type { LanguagePort } from '../features/code/language/LanguageClient.js'
import { LanguageKeeper } from '../features/code/language/LanguageKeeper.js'
import { forgetRefusals } from '../live/cannotRun.js'
import { createRunActions } from '../live/runActions.js'
import { type AppStores, createStores } from '../store/AppStores.js'
import { parseLink } from '../store/viewUrl.js'
import { keepAnalysing } from './keepAnalysing.js'
import { keepLink } from './keepLink.js'
import { keepTheme, readTheme } from './keepTheme.js'
import type { Services } from './services.js'
import { takeServerMessage } from './takeServerMessage.js'

export interface Page {
  readonly stores: AppStores
  readonly services: Services
}

/** Builds everything that is not drawn and starts it: stores, connection, saving, analysis, the link. */
export function startPage(host: Window): Page {
  const clock = new SystemClock()
  const token = takeToken({ location: host.location, history: host.history, storage: host.sessionStorage })
  const link = parseLink(host.location.search)
  const stores = createStores(clock, { ...link.view, theme: readTheme(host.localStorage) })
  const client = createAgentClient({ clock, connect: () => connect(host, token), ...listeners(stores, () => onOpen()) })
  const session = createProjectSession({ client, stores, clock, drafts: createDrafts(host.localStorage) })
  const run = createRunActions({ client, stores, clock, flush: () => session.flush() })
  const services: Services = {
    clock,
    client,
    session,
    folders: createProjectFolders({ client, stores, session }),
    canvas: createCanvasPort(),
    run,
    language: new LanguageKeeper(stores, clock, createLanguageWorker),
    exportUrl: (projectId) =>
      `/api/export/${encodeURIComponent(projectId)}.zip?token=${encodeURIComponent(token ?? '')}`,
    notify: (message, tone) => stores.notice.getState().say(message, tone),
  }

  const onOpen = async () => {
    const [{ runs }] = await Promise.all([client.request('list-runs', {}), session.refreshLists()])
    stores.connection.getState().set({ runs })
    const { projectId, workspace, saved } = stores.project.getState()
    if (projectId === null) {
      if (link.project !== null) await session.openProject(link.project, true)
    } else if (workspace !== saved) await session.flush()
    else await session.onChanged(projectId, Number.POSITIVE_INFINITY)
  }

  function listeners(of: AppStores, opened: () => Promise<void>): Pick<AgentClientOptions, 'onStatus' | 'onMessage'> {
    const say = (error: unknown) =>
      of.notice.getState().say(error instanceof Error ? error.message : String(error), 'danger')
    return {
      onStatus: (status) => {
        of.connection.getState().set({
          status: status.status,
          retryAt: status.status === 'lost' ? status.retryAt : null,
          reason: status.status === 'refused' ? status.reason : null,
          reloadMends: status.status === 'refused' && status.reloadMends,
        })
        if (status.status === 'open') opened().catch(say)
      },
      onMessage: (message) => {
        if (message.type === 'project-gone') session.onGone(message.projectId, message.renamedTo).catch(say)
        else if (message.type === 'projects-changed') session.refreshLists().catch(say)
        else if (message.type !== 'project-changed') takeServerMessage(message, of, clock)
        else session.onChanged(message.projectId, message.revision).catch(say)
      },
    }
  }

  session.watch()
  keepLink(host, stores)
  keepTheme(host, stores)
  keepAnalysing(stores, clock)
  forgetRefusals(stores)
  // What runs is soon taken home: from then on the page says whether it compiles.
  stores.run.subscribe(({ run }) => {
    if (run !== null) services.language.client()
  })
  client.start()
  return { stores, services }
}

function connect(host: Window, token: string | null): Socket {
  const scheme = host.location.protocol === 'https:' ? 'wss' : 'ws'
  return new WebSocket(`${scheme}://${host.location.host}/ws?token=${encodeURIComponent(token ?? '')}`) as Socket
}

function createLanguageWorker(): LanguagePort {
  return new Worker(new URL('../features/code/language/code-worker.ts', import.meta.url), { type: 'module' })
}
