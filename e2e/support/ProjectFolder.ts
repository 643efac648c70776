import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A project as the user finds it on disk. */
export class ProjectFolder {
  constructor(readonly path: string) {}

  async text(file: string): Promise<string> {
    return readFile(join(this.path, file), 'utf8')
  }

  async json<T>(file: string): Promise<T> {
    return JSON.parse(await this.text(file)) as T
  }

  async write(file: string, content: string | object): Promise<void> {
    const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
    await writeFile(join(this.path, file), text)
  }

  /** Files as paths below the folder, without what only the agent keeps there. */
  async files(): Promise<readonly string[]> {
    const entries = await readdir(this.path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.path.length + 1))
      .filter((path) => !path.startsWith('.lanescope'))
      .sort()
  }
}
