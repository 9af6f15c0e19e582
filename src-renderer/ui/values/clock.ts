/** The present moment. This file is the only place of the interface that reads the time or draws at random, so that a test can hold both still. */
export function now(): Date {
  return new Date()
}

/** A key that nobody else has: marks a request, so that a second try is not carried out twice. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
