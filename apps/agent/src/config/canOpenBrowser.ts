/** Whether a browser could show up anywhere: not in CI, and not on a Unix host without a display. */
export function canOpenBrowser(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): boolean {
  if (environment.CI) return false
  if (platform === 'darwin' || platform === 'win32') return true
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
}
