import type { ProjectSession } from '../../client/ProjectSession.js'
import type { ImportedText } from '../../model/importText.js'
import type { AppStores } from '../../store/AppStores.js'

/** Makes a project of what was imported, and opens it; the import is one undoable edit of it. */
export async function openImported(
  imported: Extract<ImportedText, { readonly ok: true }>,
  stores: Pick<AppStores, 'project' | 'notice'>,
  session: Pick<ProjectSession, 'create'>,
): Promise<void> {
  const { name, document, files, placeholders } = imported
  await session.create(name)
  stores.project
    .getState()
    .edit('Import', (at) => ({ ...at, document: { ...document }, files: { ...at.files, ...files } }))
  if (placeholders > 0)
    stores.notice.getState().say('Placeholders hand records on as they come: write what they do in imported.ts.')
}
