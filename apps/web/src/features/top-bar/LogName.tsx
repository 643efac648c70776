import { useConnection } from '../../store/context.js'

/** Where runs read and write, when that is a cluster: said before anybody runs. */
export function LogName() {
  const log = useConnection((state) => state.hello?.log)
  if (log?.kind !== 'kafka') return null
  return (
    <span className="log-name" title={`Runs read and write topics of Kafka at ${log.bootstrapServers}`}>
      Kafka <span className="mono">{log.bootstrapServers}</span>
    </span>
  )
}
