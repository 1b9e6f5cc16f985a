package io.github.ratelimit.content.cms.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.shared.storage.Sha256;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import org.springframework.stereotype.Component;

/**
 * The key pair by which this site and the service that optimises it know each other; made once and kept. Safe for
 * concurrent use.
 */
@Component
class SiteKeys {

    private static final String ALGORITHM = "Ed25519";
    private static final String SETTING = "site-key";

    private final PrivateKey privateKey;
    private final String publicKey;
    private final String serviceKey;

    SiteKeys(CacheStore kept, CmsSettings settings) {
        this.serviceKey = settings.cache().serviceKey();
        try {
            KeyPair made = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
            String[] pair = kept.putIfAbsent(
                            SETTING,
                            encode(made.getPrivate().getEncoded()) + " "
                                    + encode(made.getPublic().getEncoded()))
                    .split(" ");
            privateKey = KeyFactory.getInstance(ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pair[0])));
            publicKey = pair[1];
            if (!serviceKey.isEmpty()) {
                serviceKey();
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    "content-api.cache.service-key: must be an Ed25519 public key, X.509 in base64", e);
        }
    }

    /** Returns what the service sends to show that it knows this site: SHA-256 of the public key, hexadecimal. */
    String fingerprint() {
        return Sha256.of(publicKey);
    }

    /** Returns what this site answers then: SHA-256 of the fingerprint, hexadecimal. */
    String answer() {
        return Sha256.of(fingerprint());
    }

    /** Signs a text with the site's key; base64. */
    String sign(String text) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(privateKey);
            signature.update(text.getBytes(UTF_8));
            return encode(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Tells whether the service signed a text; false where no service is known. */
    boolean isSignedByService(String text, String signature) {
        if (serviceKey.isEmpty()) {
            return false;
        }
        try {
            Signature check = Signature.getInstance(ALGORITHM);
            check.initVerify(serviceKey());
            check.update(text.getBytes(UTF_8));
            return check.verify(Base64.getDecoder().decode(signature));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return false;
        }
    }

    private PublicKey serviceKey() throws GeneralSecurityException {
        return KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(serviceKey)));
    }

    private static String encode(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
