/** How a source promises that nothing older will come (W2). `maxOutOfOrdernessMs` 0 is monotonous. */
export interface WatermarkStrategy {
  readonly maxOutOfOrdernessMs: number
}
