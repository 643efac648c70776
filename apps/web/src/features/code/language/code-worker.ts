import { LanguageSession } from './LanguageSession.js'
import { bundledLibraries } from './libraries.js'
import type { LanguageCall, LanguageReply } from './protocol.js'

const scope = self as unknown as DedicatedWorkerGlobalScope
const session = new LanguageSession(bundledLibraries())

scope.onmessage = (event: MessageEvent<LanguageCall>) => {
  scope.postMessage(answer(event.data))
}

function answer(call: LanguageCall): LanguageReply {
  try {
    return { id: call.id, ok: true, result: session.handle(call) }
  } catch (error) {
    // The compiler throws on rare half-written texts; the next keystroke asks again.
    return { id: call.id, ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
