import { StreamError } from '@lanescope/core'

/** A registry's own refusal. */
export interface Refusal {
  readonly status: number
  /** The registry's own code, such as 40403; undefined when its answer had none. */
  readonly errorCode: number | undefined
}

const advice: { readonly [code: number]: string } = {
  401: 'Give SchemaRegistry the user and password in auth.',
  403: 'Ask for the right to do this on that subject.',
  40401: 'There is no such subject: register its schema first, or set register: true.',
  40402: 'There is no such version of that subject.',
  40403: 'There is no such schema: is this the registry that the producer uses?',
  409: "The schema is incompatible with an earlier one of the subject: change it, or the subject's compatibility.",
  42201: 'The registry cannot read that schema: correct it.',
}

/** The registry has answered that it will not. Asking again would not help. */
export function refused(method: string, url: string, status: number, answer: string): StreamError {
  const { error_code: errorCode, message = answer.slice(0, 200) } = parsed(answer)
  const help = advice[errorCode ?? status] ?? advice[status] ?? 'Check the address, and what is asked for.'
  return new StreamError(
    `The Schema Registry refused ${method} ${url} with ${errorCode ?? status}: ${message} ${help}`,
    {
      code: 'REGISTRY_REFUSED',
      kind: 'user',
      retriable: false,
      cause: { status, errorCode } satisfies Refusal,
    },
  )
}

/** No answer has come that settles it. */
export function unavailable(
  method: string,
  urls: readonly string[],
  path: string,
  attempts: number,
  cause: unknown,
): StreamError {
  const why = reasonOf(cause)
  return new StreamError(
    `The Schema Registry at ${urls.join(', ')} did not answer ${method} ${path} in ${attempts} attempts: ${why}. ` +
      'Check that it runs and can be reached from here.',
    { code: 'REGISTRY_UNAVAILABLE', kind: 'operational', retriable: true, cause },
  )
}

/** `fetch` hides what went wrong in the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
}

function parsed(answer: string): { error_code?: number; message?: string } {
  try {
    return JSON.parse(answer)
  } catch {
    // An answer of a proxy in between, say: its text is told instead.
    return {}
  }
}
