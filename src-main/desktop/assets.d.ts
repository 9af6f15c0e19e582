/** The path of a file next to the built program. */
declare module '*?asset' {
  const path: string
  export default path
}
