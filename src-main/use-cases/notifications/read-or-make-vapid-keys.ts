import { createECDH } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '#main/clock'
import { readOrMakeSetting } from '#main/store/core/instance-settings'
import type { Store } from '#main/store/core/store'

const keys = z.object({ public_key: z.string(), private_key: z.string() })

/** The key pair that identifies this instance to push services (RFC 8292), base64url. */
export type VapidKeys = z.infer<typeof keys>

/** The key pair of an instance, made once, as devices subscribe with the public key. */
export async function readOrMakeVapidKeys(store: Store, clock: Clock): Promise<VapidKeys> {
  return keys.parse(JSON.parse(await readOrMakeSetting(store, 'vapid_keys', () => JSON.stringify(makeKeys(clock)))))
}

function makeKeys(clock: Clock): VapidKeys {
  const curve = createECDH('prime256v1')
  const secret = Buffer.from(clock.secret(32), 'hex')
  curve.setPrivateKey(secret)
  return { public_key: curve.getPublicKey('base64url'), private_key: secret.toString('base64url') }
}
