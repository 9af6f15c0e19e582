/** Marks a request of the desktop's own window. */
export const localHeader = 'x-outlay-local'
