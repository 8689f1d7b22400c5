/** An iPhone shows a video over everything: nothing of the page is seen until it has left that. */
export function leaveNativeFullscreen(element: HTMLMediaElement | null): void {
  if (!element || !('webkitDisplayingFullscreen' in element) || element.webkitDisplayingFullscreen !== true) return
  if ('webkitExitFullscreen' in element && typeof element.webkitExitFullscreen === 'function')
    element.webkitExitFullscreen()
}
