"""The files the service keeps, and what it makes of an uploaded one."""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace

from PIL import Image, UnidentifiedImageError

from tests.standins.telegram import limits
from tests.standins.telegram.values import Json, Kind, Media, Refusal, Upload, bad

_FOLDERS = {"voice": "voice", "audio": "music", "photo": "photos", "video": "videos", "sticker": "stickers"}


@dataclass
class Files:
    """Media by file id, and the paths from which they may be fetched."""

    media: dict[str, Media] = field(default_factory=dict)
    paths: dict[str, Media] = field(default_factory=dict)
    ignored_thumbnails: list[str] = field(default_factory=list)

    def keep(self, media: Media) -> Media:
        number = len(self.media) + 1
        kept = replace(media, file_id=f"{media.kind}-{number:06}", size=media.size or len(media.content))
        self.media[kept.file_id] = kept
        if kept.kind == "photo":
            self.media[kept.file_id + "-s"] = replace(kept, file_id=kept.file_id + "-s")
        return kept

    def path(self, file_id: str) -> Json:
        """Where a file may be fetched, unless it is too big."""
        if (media := self.media.get(file_id)) is None:
            raise bad("invalid file_id")
        if media.size > limits.DOWNLOAD_BYTES:
            raise bad("file is too big")
        extension = media.name.rpartition(".")[2] if media.name and "." in media.name else "bin"
        path = f"{_FOLDERS.get(media.kind, 'documents')}/file_{list(self.media).index(file_id)}.{extension}"
        self.paths[path] = media
        return {"file_id": file_id, "file_unique_id": f"u-{file_id}", "file_size": media.size, "file_path": path}

    def received(self, kind: Kind, upload: Upload, info: Json, thumbnail: Upload | None) -> Media:
        """An uploaded file as a message will show it."""
        kind, width, height = _recognised(kind, upload)
        media = Media(
            kind,
            None if kind in ("voice", "photo") else upload.name,
            upload.content,
            "image/jpeg" if kind == "photo" else upload.mime,
            title=info.get("title") if kind == "audio" else None,
            performer=info.get("performer") if kind == "audio" else None,
            duration=int(info.get("duration") or 0),
            thumbnail=self._thumbnail(thumbnail) if kind in ("audio", "document", "video") else None,
            width=width,
            height=height,
        )
        return self.keep(media)

    def again(self, kind: Kind, file_id: str) -> Media:
        """A file the service knows already."""
        if (media := self.media.get(file_id)) is None:
            raise bad("wrong file identifier/HTTP URL specified")
        if media.kind != kind:
            raise bad(f"can't use file of type {media.kind.title()} as {kind.title()}")
        return media

    def _thumbnail(self, upload: Upload | None) -> bytes | None:
        if upload is None:
            return None
        if why := _unfit(upload):
            self.ignored_thumbnails.append(f"{upload.name}: {why}")
            return None
        return upload.content


def _recognised(kind: Kind, upload: Upload) -> tuple[Kind, int, int]:
    if len(upload.content) > limits.UPLOAD_BYTES:
        raise Refusal("Request Entity Too Large", 413)
    if not upload.content:
        raise bad("file must be non-empty")
    if kind == "photo":
        return kind, *_photo(upload.content)
    fits = {"audio": _is_music, "voice": _is_opus}.get(kind)
    return (kind if fits is None or fits(upload.content) else "document"), 0, 0


def _is_music(content: bytes) -> bool:
    mp3 = content[:3] == b"ID3" or (content[0] == 0xFF and len(content) > 1 and content[1] & 0xE0 == 0xE0)
    return mp3 or content[4:8] == b"ftyp"


def _is_opus(content: bytes) -> bool:
    return content[:4] == b"OggS" and b"OpusHead" in content[:200]


def size_of(content: bytes) -> tuple[int, int, str] | None:
    """Width, height and format of a picture, or nothing when it is none."""
    try:
        with Image.open(io.BytesIO(content)) as image:
            return image.width, image.height, str(image.format)
    except (UnidentifiedImageError, Image.DecompressionBombError):
        return None


def _photo(content: bytes) -> tuple[int, int]:
    if len(content) > limits.PHOTO_BYTES:
        most = f"the maximum size is {limits.PHOTO_BYTES} bytes"
        raise bad(f"file of size {len(content)} bytes is too big for a photo; {most}")
    if (found := size_of(content)) is None:
        raise bad("IMAGE_PROCESS_FAILED")
    width, height, _ = found
    if width + height > limits.PHOTO_SIDES or max(width, height) > limits.PHOTO_RATIO * min(width, height):
        raise bad("PHOTO_INVALID_DIMENSIONS")
    return width, height


def _unfit(upload: Upload) -> str:
    found = size_of(upload.content)
    if found is None or found[2] != "JPEG":
        return "not a JPEG"
    if len(upload.content) > limits.THUMBNAIL_BYTES:
        return f"{len(upload.content)} bytes"
    return f"{found[0]}×{found[1]}" if max(found[:2]) > limits.THUMBNAIL_SIDE else ""
