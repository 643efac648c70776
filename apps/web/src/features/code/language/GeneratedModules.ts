import { formatTopology, type GeneratedTopology, generateTopology, type TopologyDocument } from '@lanescope/shared'

/** What a document generates, made once a document: plain at once, and laid out as the editor shows it and as it is exported. */
export class GeneratedModules {
  #document: TopologyDocument | undefined
  #topology: GeneratedTopology | undefined

  /** The newest text that is there without waiting. */
  of(document: TopologyDocument): GeneratedTopology {
    if (this.#document !== document || this.#topology === undefined) {
      this.#document = document
      this.#topology = generateTopology(document)
    }
    return this.#topology
  }

  /** Laid out, so that a line of an error is the line that people see; as it is where it does not parse. */
  async laidOut(document: TopologyDocument): Promise<GeneratedTopology> {
    const plain = this.of(document)
    const made = await formatTopology(plain).catch(() => plain)
    if (this.#document === document) this.#topology = made
    return made
  }
}

/** Texts by path under `src/`: `topology.ts`, and `stores.ts` where there are stores. */
export function textsOf({ files }: GeneratedTopology): { readonly [path: string]: string } {
  return Object.fromEntries(files.map(({ path, text }) => [path.replace(/^src\//, ''), text]))
}
