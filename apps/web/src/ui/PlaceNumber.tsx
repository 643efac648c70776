import './place.css'

/** The number of a place on a finding's path, the same on the canvas and in the panel. */
export function PlaceNumber(props: { readonly n: number }) {
  return <span className="place-number">{props.n}</span>
}
