/** The path of a file that is put beside the built program. */
declare module '*?asset' {
  const path: string
  export default path
}
