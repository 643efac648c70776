/**
 * When a windowed aggregation sends its results on. `onWindowUpdate` (default): each time one changes.
 * `onWindowClose`: once, when the window takes no more records.
 */
export class EmitStrategy {
  private constructor(readonly type: 'on-window-update' | 'on-window-close') {}

  static onWindowUpdate(): EmitStrategy {
    return new EmitStrategy('on-window-update')
  }

  static onWindowClose(): EmitStrategy {
    return new EmitStrategy('on-window-close')
  }
}
