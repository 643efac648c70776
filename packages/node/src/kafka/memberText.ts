/** A member of a consumer group, as people find it. */
export function memberText({
  clientId,
  clientHost,
}: {
  readonly clientId: string
  readonly clientHost: string
}): string {
  return `client "${clientId}" on ${clientHost}`
}
