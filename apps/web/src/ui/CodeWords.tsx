/** Bytes, dotted settings and calls: what stands in mono inside a sentence. */
const CODE = /((?:\b[0-9a-f]{2}\b ?){2,}|\b[a-z]+(?:[.-][a-z]+){1,}(?=[\s.,:;]|$)|\b[A-Za-z]+(?:\.[A-Za-z]+)*\([^)]*\))/

/** A sentence with its code in mono. */
export function CodeWords(props: { readonly text: string }) {
  const parts = props.text.split(CODE)
  return parts.map((part, index) => {
    const isCode = index % 2 === 1 && (/\d|\(/.test(part) || part.includes('.'))
    const trailing = /\s+$/.exec(part)?.[0] ?? ''
    return isCode ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
      <span key={index}>
        <span className="mono">{part.trimEnd()}</span>
        {trailing}
      </span>
    ) : (
      part
    )
  })
}
