package io.github.ratelimit.content.cms.media.image;

/**
 * The size of a picture that was not decoded.
 *
 * @param width of the whole picture, in pixels
 * @param height of the whole picture, in pixels
 * @param frames 1, or more in an animation
 */
public record ImageHeader(int width, int height, int frames) {}
