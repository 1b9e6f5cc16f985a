package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.shared.settings.ServerKey;
import java.time.InstantSource;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What is told of keys that differ. */
class KeyMarkTest {
    private static ServerKey key(int of) {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) of;
        return ServerKey.of(Base64.getEncoder().encodeToString(bytes));
    }

    @Test
    void anotherKeyThanThatOfTheLastStartIsTold() {
        var database = new SingleConnectionDataSource("jdbc:h2:mem:" + UUID.randomUUID(), true);
        JdbcClient jdbc = JdbcClient.create(database);
        jdbc.sql("create table cache_setting (name varchar(100) primary key, content varchar(8000))")
                .update();
        CacheStore kept = new CacheStore(InstantSource.system(), jdbc);

        assertThat(KeyMark.replacesAnother(kept, key(1))).isFalse();
        assertThat(KeyMark.replacesAnother(kept, key(1))).isFalse();
        assertThat(KeyMark.replacesAnother(kept, key(2))).isTrue();
        assertThat(KeyMark.replacesAnother(kept, key(2))).isFalse();
        assertThat(KeyMark.replacesAnother(kept, key(1))).isTrue();
        database.destroy();
    }
}
