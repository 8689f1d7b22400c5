import https, { globalAgent } from 'node:https'
import { text } from 'node:stream/consumers'

/** Of localhost, for a hundred years. It guards nothing: whoever asks is a test. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgTxZtciRJKf2yCwEO
bNPGXOaVGeQH3l4vbQ3w9Rjeoz2hRANCAAR/XeL9m0qu1xhC+hKxhe/Vz8hl9dC3
hnYRw1y3Wofi/V9L1ES3rY7dQQRNtfB1zdqyPDPkVPAjPS5G986+iCZN
-----END PRIVATE KEY-----`
const cert = `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUUHvKJHDhI7sUuQq8fikTPwy9h+kwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE2NTgxMloYDzIxMjYxMDI5
MTY1ODEyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAR/XeL9m0qu1xhC+hKxhe/Vz8hl9dC3hnYRw1y3Wofi/V9L1ES3rY7d
QQRNtfB1zdqyPDPkVPAjPS5G986+iCZNo2kwZzAdBgNVHQ4EFgQU98Ctb+MJgvG0
sMP9AuXk/7pa1VwwHwYDVR0jBBgwFoAU98Ctb+MJgvG0sMP9AuXk/7pa1VwwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgY8R/U33w/6spnxUQm5oPnrvHaoXl+uFZm90ZZ6hZgVoCIQCNakMd3V2c
aFKT5yV1C3qC9k5Rzy/DxPvj5riYsuN/VQ==
-----END CERTIFICATE-----`

/** What stands in for Tencent's STS, which is only ever asked by https. */
export interface Sts {
  host: string
  /** Forms as they came. */
  asked: URLSearchParams[]
  answer: (response: object) => void
  close: () => Promise<void>
}

export async function standInSts(): Promise<Sts> {
  let next: object = {}
  const asked: URLSearchParams[] = []
  const server = https.createServer({ key, cert }, (request, response) => {
    void text(request).then((body) => {
      asked.push(new URLSearchParams(body))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ Response: next }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const trusted = globalAgent.options.ca
  globalAgent.options.ca = cert
  return {
    host: `localhost:${port}`,
    asked,
    answer: (response) => void (next = response),
    close: () => {
      globalAgent.options.ca = trusted
      return new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}
