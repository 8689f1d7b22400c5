import { clsx } from 'clsx'
import type { ImgHTMLAttributes } from 'react'
import common from './common.module.css'

interface CoverPictureProps extends Omit<ImgHTMLAttributes<HTMLImageElement>, 'src' | 'width' | 'height' | 'alt'> {
  /** Its address and its size in pixels, which keeps its place before it has come. */
  of: { src: string; width: number; height: number }
  /** Says what it shows, where no title stands beside it. */
  alt?: string
}

/** The picture of something whose title stands beside it, so it says nothing by itself. It is fetched when it comes into view. */
export const CoverPicture = ({ of: { src, width, height }, className, alt = '', ...rest }: CoverPictureProps) => (
  <img
    className={clsx(common.picture, className)}
    src={src}
    width={width}
    height={height}
    alt={alt}
    loading="lazy"
    decoding="async"
    {...rest}
  />
)
