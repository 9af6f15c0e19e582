/**
 * A page's content security policy: nothing from other origins, only our own script files, no inline scripts or eval. `bucket`: the upload origin, if it is
 * not ours.
 */
const contentSecurityPolicy = (bucket?: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ["connect-src 'self'", bucket].filter(Boolean).join(' '),
    "media-src 'self' blob:",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "frame-src 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')

/** The headers of every page. `bucket`: the upload origin, if it is not ours. */
export const toPageHeaders = (bucket?: string) => ({
  'content-security-policy': contentSecurityPolicy(bucket),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
})
