/**
 * Where an embedded log keeps its bytes: named files that grow at their ends, are cut when a crash left half a write,
 * and are replaced as a whole.
 * Adapters: `MemoryLogStorage`, and a folder on disk in `@lanescope/node`. One log at a time uses a storage.
 */
export interface LogStorage {
  /** Names of the files that exist, in any order. */
  list(): Promise<readonly string[]>
  /** Bytes in the file; 0 when there is none of this name. */
  size(file: string): Promise<number>
  /** The bytes from `from` on, at most `length` of them; fewer at the file's end. */
  read(file: string, from: number, length: number): Promise<Uint8Array>
  /**
   * Adds bytes at the end; makes the file when there is none. When it rejects, or the host crashes before `sync`,
   * the file may end in any part of the bytes.
   */
  append(file: string, bytes: Uint8Array): Promise<void>
  /** Cuts the file to its first `size` bytes. */
  truncate(file: string, size: number): Promise<void>
  /** Puts these bytes in the place of all that is in the file: all or nothing, also over a crash of the host. */
  replace(file: string, bytes: Uint8Array): Promise<void>
  /** Takes the file away; nothing happens when there is none. */
  remove(file: string): Promise<void>
  /** Resolves once everything in the file survives a crash of the host. */
  sync(file: string): Promise<void>
  /** Gives the storage free for another log. */
  close(): Promise<void>
}
