import { StreamError } from '@lanescope/core'

/** Loads a library that only some applications install. @throws StreamError CONFIG_INVALID naming what to install */
export async function loadPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new StreamError(
      `This serde needs the library "${name}", which cannot be loaded. Install it: npm install ${name}`,
      {
        code: 'CONFIG_INVALID',
        kind: 'user',
        retriable: false,
        cause,
      },
    )
  }
}
