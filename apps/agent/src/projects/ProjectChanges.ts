/** A project is no longer as it was: by a save of ours, or by somebody's editor. */
export interface ProjectChange {
  readonly projectId: string
  readonly revision: number
  readonly by: 'disk' | 'page'
}
