import type { FolderContent } from './readFolder.js'

export async function writeGenerated(_folder: string, _content: FolderContent): Promise<void> {}
