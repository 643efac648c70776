/** How one start of the agent was asked to behave. */
export interface AgentConfig {
  /** 0: any free one. */
  readonly port: number
  readonly open: boolean
  /** Absolute. */
  readonly projectsFolder: string
  /** Kafka brokers, `host:port` with commas between; undefined: the embedded log of each project. */
  readonly bootstrapServers: string | undefined
}
