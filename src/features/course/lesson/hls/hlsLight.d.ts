/** The build without what our lessons have none of (DRM, subtitles in the playlist, other audio); it comes without types. */
declare module 'hls.js/light' {
  export { default as Hls, ErrorTypes, Events } from 'hls.js'
}
