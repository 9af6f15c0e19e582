/** Marks a request of the desktop's window. */
export const localHeader = 'x-outlay-local'
