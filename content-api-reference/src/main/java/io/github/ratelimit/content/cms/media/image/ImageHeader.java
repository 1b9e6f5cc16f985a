package io.github.ratelimit.content.cms.media.image;

/**
 * What a picture's structure says, without decoding it.
 *
 * @param format its format
 * @param width of the whole picture, in pixels
 * @param height of the whole picture, in pixels
 * @param frames 1, or more in an animation
 */
public record ImageHeader(ImageFormat format, int width, int height, int frames) {}
