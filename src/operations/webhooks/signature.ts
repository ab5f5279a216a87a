import { createHmac } from 'node:crypto'

/**
 * The value of `webhook-signature` by Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, with
 * the secret's raw bytes as the key. [webhooks#signature]
 */
export function sign(
  secret: Uint8Array,
  message: { readonly id: string; readonly timestamp: number; readonly body: string },
): string {
  const text = `${message.id}.${message.timestamp}.${message.body}`
  return `v1,${createHmac('sha256', secret).update(text).digest('base64')}`
}
