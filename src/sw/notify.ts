/** Shows what the server sends, which is the daily reminder (server/reminder); one that is still there is replaced. */
export function showMessage(
  data: { json: () => unknown },
  shown: Pick<ServiceWorkerRegistration, 'showNotification'>,
): Promise<void> {
  const { title, body } = data.json() as { title: string; body: string }
  return shown.showNotification(title, { body, icon: '/icon-192.png', tag: 'daily' })
}

/** Opens the home page, where the task of today is, in a window of its own: an open one may be in the middle of an exam. */
export function openHome(
  { notification }: { notification: Pick<Notification, 'close'> },
  clients: { openWindow: (address: string) => Promise<unknown> },
): Promise<unknown> {
  notification.close()
  return clients.openWindow('/')
}
