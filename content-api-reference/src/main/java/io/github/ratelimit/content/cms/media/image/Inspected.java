package io.github.ratelimit.content.cms.media.image;

/**
 * A picture that was looked at and not decoded.
 *
 * @param format of the file
 * @param width as it is stored, in pixels
 * @param height as it is stored, in pixels
 * @param frames 1, or more in an animation
 * @param meta its notes
 * @param tellsPlace whether its metadata may tell where it was taken
 */
public record Inspected(ImageFormat format, int width, int height, int frames, PictureMeta meta, boolean tellsPlace) {}
